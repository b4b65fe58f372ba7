# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;

  # What Nix says that it expected, in place of a pattern or of a type's name.
  explained = type: description: type // { inherit description; };
in
{
  options = {
    option = mkOption {
      type = explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it";
      description = "What it is for.";
    };
  };

  # Options without a default, each with the option that has to be given first for it to be needed.
  required = [
    { path = [ "option" ]; within = [ ]; }
  ];

  # Options that name a file with a secret.
  secretFiles = [
    [ "option" ]
  ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [ ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [ ];
}
