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
      type = types.ints.between 1 8;
      default = 1;
      description = "What it is for.";
    };
  };

  # Options without a default, each with the option that has to be given first for it to be needed.
  required = [ ];

  # Options that name a file with a secret.
  secretFiles = [ ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [ ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [ ];
}
