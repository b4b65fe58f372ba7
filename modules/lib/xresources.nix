# The values of X resource options as text of a resource file.
{ lib }:
let
  inherit (builtins)
    elemAt
    fromJSON
    split
    substring
    ;

  plain =
    value:
    if lib.isBool value then
      lib.boolToString value
    else if lib.isFloat value then
      # toString pads with zeros
      builtins.toJSON value
    else
      # The line break that ends a text of several lines is not part of the value.
      lib.removeSuffix "\n" (toString value);

  # For a file that is read as it stands. The value stands as given; only what a file of lines can't hold is written
  # its way: a line break, a leading blank, a backslash that has nothing behind it.
  inFile =
    value:
    let
      line = lib.replaceStrings [ "\\\\" "\\\n" "\n" ] [ "\\\\" "" "\\n" ] (plain value);
      endsOpen = lib.hasSuffix "\\" (lib.replaceStrings [ "\\\\" ] [ "" ] line);
      startsBlank = lib.hasPrefix " " line || lib.hasPrefix "\t" line;
    in
    lib.optionalString startsBlank "\\" + line + lib.optionalString endsOpen "\\";

  octal =
    byte: "\\${toString (byte / 64)}${toString (lib.mod (byte / 8) 8)}${toString (lib.mod byte 8)}";

  # A character by its code below 0x10000.
  character = code: fromJSON ''"\u${lib.fixedWidthString 4 "0" (lib.toHexString code)}"'';

  # Each byte that UTF-8 can have -> its octal escape. Nix has no other way from a byte to its number than a table.
  escapes = lib.listToAttrs (
    map ({ byte, text }: lib.nameValuePair text (octal byte)) (
      map (byte: {
        inherit byte;
        text = character byte;
      }) (lib.range 1 127)
      ++ map (byte: {
        inherit byte;
        text = substring 1 1 (character byte);
      }) (lib.range 128 191)
      ++ map (byte: {
        inherit byte;
        text = substring 0 1 (character ((byte - 192) * 64));
      }) (lib.range 194 223)
      ++ map (byte: {
        inherit byte;
        text = substring 0 1 (character (lib.max 2048 ((byte - 224) * 4096)));
      }) (lib.range 224 239)
      ++ lib.imap0 (index: text: {
        byte = 240 + index;
        text = substring 0 1 text;
      }) (fromJSON ''["\ud800\udc00", "\ud8c0\udc00", "\ud9c0\udc00", "\udac0\udc00", "\udbc0\udc00"]'')
    )
  );

  # These mean nothing to a preprocessor.
  readable = lib.genAttrs (lib.stringToCharacters "0123456789.,:=+-") lib.id;
  byteText = byte: readable.${byte} or escapes.${byte} or byte;

  # An escape of the resource file; the first letter and the rest of a word, in pieces no preprocessor cuts.
  tokens = ''\\([0-7]{3}|.|'' + "\n" + '')|([A-Za-z_])([A-Za-z0-9_]{0,15})'';

  tokenText =
    token:
    let
      escaped = elemAt token 0;
    in
    if escaped == null then
      escapes.${elemAt token 1} + elemAt token 2
    else if escaped == "\n" then
      ""
    else if escaped == "n" || lib.stringLength escaped == 3 then
      "\\${escaped}"
    else
      escapes.${escaped} or escaped;

  # For a file that xrdb may send through a preprocessor: cpp or mcpp. Both replace words that are macros, cut comments,
  # join blanks and drop lines with an unpaired quote; cpp rewrites what isn't ASCII. So no word stands whole, and only
  # letters and `readable` stand as they are; the resource database decodes the rest.
  hidden =
    value:
    let
      text = plain value;
    in
    # `split` forgets the packages that a text names.
    substring 0 0 text
    + lib.concatMapStrings (
      piece:
      if lib.isString piece then
        lib.concatMapStrings byteText (lib.stringToCharacters piece)
      else
        tokenText piece
    ) (split tokens text);

  valuesOf = write: lib.mapAttrs (_: scope: lib.mapAttrs (_: write) (lib.filterAttrs (_: value: value != null) scope));
in
{
  # Both: scope -> name -> text of the value, for those that are set.
  inFile = valuesOf inFile;
  hidden = valuesOf hidden;
}
