# The values of X resource options as text of a resource file.
{ lib }:
let
  text =
    value:
    if lib.isBool value then
      lib.boolToString value
    else if lib.isFloat value then
      # toString pads with zeros
      builtins.toJSON value
    else
      toString value;

  # The value stands as given. Only what a file of lines can't hold is written its way:
  # a line break that isn't escaped yet, a leading blank.
  escape =
    value:
    let
      lines = lib.replaceStrings [ "\\\n" "\n" ] [ "\\\n" "\\n\\\n" ] (lib.removeSuffix "\n" value);
    in
    if lib.hasPrefix " " lines || lib.hasPrefix "\t" lines then "\\${lines}" else lines;

  set = lib.filterAttrs (_: value: value != null);
in
{
  # Scope -> name -> text of the value, for those that are set.
  given = resources: lib.mapAttrs (_: scope: lib.mapAttrs (_: value: escape (text value)) (set scope)) resources;
}
