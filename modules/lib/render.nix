# Turns the values of generated options into the configuration file of a program.
# Unset options are left out, so that the program's own defaults hold; a secret file becomes a credential of the unit.
{ lib }:
{
  # What `generated/<program>.options.nix` gives.
  generated,
  # The values of its options, in the same tree.
  values,
  # Where NixOS has these options, for messages.
  prefix,
}:
let
  plain = import ./plain.nix { inherit lib; };
  inherit (generated)
    options
    secretFiles
    softOptions
    withoutEffect
    ;

  # Only what the schema knows: the tree of values has the module's own options as well.
  pick =
    tree: from:
    lib.mapAttrs (
      name: option: if lib.isOption option then from.${name} else pick option from.${name}
    ) tree;
  picked = pick options values;

  credentialName = lib.concatStringsSep ".";

  isSilent =
    path: value: lib.any (entry: entry.path == path && entry.default == value) withoutEffect;

  # `keeps` says which options stand in the result, by their path.
  render =
    keeps: path: value:
    if lib.elem path secretFiles then
      "$CREDENTIALS_DIRECTORY/${credentialName path}"
    else if lib.isAttrs value then
      lib.mapAttrs (name: render keeps (path ++ [ name ])) (
        lib.filterAttrs (
          name: member:
          let
            here = path ++ [ name ];
          in
          member != null && keeps here && !isSilent here member
        ) value
      )
    else if lib.isList value then
      map (render keeps (path ++ [ "*" ])) value
    else
      value;
  renderedJson = keeps: builtins.toJSON (render keeps [ ] picked);

  isSoft = path: lib.elem path softOptions;
  # A section stands for the soft options in it, a soft option for everything below it.
  leadsToSoft =
    path:
    lib.any (soft: lib.lists.hasPrefix path soft || lib.lists.hasPrefix soft path) softOptions;

  secrets = lib.filter (secret: secret.file != null) (
    map (path: {
      name = credentialName path;
      file = lib.attrByPath path null picked;
    }) secretFiles
  );
in
{
  json = renderedJson (_: true);

  # The file in two halves: the options a running program takes on when it reloads the file, and all others.
  softJson = renderedJson leadsToSoft;
  hardJson = renderedJson (path: !isSoft path);

  # For LoadCredential.
  credentials = map ({ name, file }: "${name}:${plain (toString file)}") secrets;

  # Options that are set and have no effect yet.
  warnings = map (
    { path, ... }:
    "${prefix}.${lib.concatStringsSep "." path} is set, but has no effect in this version of Homeport."
  ) (lib.filter ({ path, default }: lib.attrByPath path default picked != default) withoutEffect);
}
