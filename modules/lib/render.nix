# Turns the values of generated options into the configuration file of a program.
# Unset options are left out, so that the program's own defaults hold; a secret file becomes a credential of the unit.
{ lib }:
{
  # What `generated/<program>.options.nix` gives.
  generated,
  # The values of its options, in the same tree.
  values,
}:
let
  inherit (generated) options secretFiles silentAtDefault;

  # Only what the schema knows: the tree of values has the module's own options as well.
  pick =
    tree: from:
    lib.mapAttrs (name: option: if lib.isOption option then from.${name} else pick option from.${name}) tree;

  credentialName = lib.concatStringsSep ".";

  isSilent = path: value: lib.any (entry: entry.path == path && entry.default == value) silentAtDefault;

  render =
    path: value:
    if lib.elem path secretFiles then
      "$CREDENTIALS_DIRECTORY/${credentialName path}"
    else if lib.isAttrs value then
      lib.mapAttrs (name: render (path ++ [ name ])) (
        lib.filterAttrs (name: member: member != null && !(isSilent (path ++ [ name ]) member)) value
      )
    else if lib.isList value then
      map (render (path ++ [ "*" ])) value
    else
      value;

  picked = pick options values;

  secrets = lib.filter (secret: secret.file != null) (
    map (path: {
      name = credentialName path;
      file = lib.attrByPath path null picked;
    }) secretFiles
  );
in
{
  json = builtins.toJSON (render [ ] picked);

  # For LoadCredential; systemd expands % in the path.
  credentials = map (
    { name, file }: "${name}:${lib.replaceStrings [ "%" ] [ "%%" ] (toString file)}"
  ) secrets;
}
