# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;
in
{
  options = {
    option = mkOption {
      type = types.ints.between 1 8;
      default = 1;
      description = "What it is for.";
    };
  };

  # Options that name a file with a secret.
  secretFiles = [ ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [ ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [ ];
}
