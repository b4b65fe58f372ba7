# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;
in
{
  options = {
    option = {
      inner = mkOption {
        type = types.nullOr (types.submodule {
          options = {
            deep = mkOption {
              type = types.int;
              description = "What it is for. A reload applies a change.";
            };
          };
        });
        default = null;
        description = "What it is for. A reload applies a change.";
      };
    };
  };

  # Options that name a file with a secret.
  secretFiles = [ ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [
    [ "option" "inner" ]
  ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [ ];
}
