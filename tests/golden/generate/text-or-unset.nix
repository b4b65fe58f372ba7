# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;
in
{
  options = {
    option = mkOption {
      type = types.nullOr types.str;
      default = null;
      description = "What it is for.";
    };
  };

  # Options that name a file with a secret.
  secretFiles = [ ];

  # Options without effect yet: left out at their default, because the program warns about those that are set.
  silentAtDefault = [ ];
}
