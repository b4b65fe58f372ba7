# Turns the values of generated options into the configuration file of a program.
# Unset options are left out, so that the program's own defaults hold; a secret file becomes a credential of the unit.
{ lib }:
{
  # What `generated/<program>.options.nix` gives.
  generated,
  # The values of its options, in the same tree.
  values,
  # The declared options of the same tree.
  declared,
  # Where NixOS has these options, for messages.
  prefix,
}:
let
  plain = import ./plain.nix { inherit lib; };
  inherit (generated)
    options
    required
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

  # Whether a definition says something of what is at a path below it; of one with conditions or functions only Nix knows.
  says =
    path: definition:
    path == [ ]
    || !(lib.isAttrs definition)
    || definition ? _type
    || definition ? imports
    || definition ? config
    || (
      definition ? ${lib.head path} && says (lib.tail path) definition.${lib.head path}
    );
  isGiven =
    path: tree:
    if path == [ ] then
      true
    else if lib.isOption tree then
      tree.isDefined && lib.any (says path) tree.definitions
    else
      let
        here = tree.${lib.head path};
      in
      if lib.isOption here && lib.tail path == [ ] then here.isDefined else isGiven (lib.tail path) here;
  missing = map ({ path, ... }: "${prefix}.${lib.concatStringsSep "." path}") (
    lib.filter ({ path, within }: isGiven within declared && !isGiven path declared) required
  );
  missingMessage = "${prefix}: ${
    if lib.length missing == 1 then "this option has no default and is" else "these options have no default and are"
  } not set: ${lib.concatStringsSep ", " missing}. Set ${if lib.length missing == 1 then "it" else "all of them"}.";

  secrets = lib.filter (secret: secret.file != null) (
    map (path: {
      name = credentialName path;
      file = lib.attrByPath path null picked;
    }) secretFiles
  );
in
{
  # Reading an option that is not set ends the evaluation at the first one.
  isComplete = missing == [ ];
  assertions = lib.optional (missing != [ ]) {
    assertion = false;
    message = missingMessage;
  };

  json = lib.throwIfNot (missing == [ ]) missingMessage (renderedJson (_: true));

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
