# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;
in
{
  options = {
    option = mkOption {
      type = types.attrTag {
        file = mkOption {
          type = types.submodule {
            options = {
              path = mkOption {
                type = types.str;
                default = "/x";
                description = "What it is for.";
              };
            };
          };
          description = "What it is for.";
        };
        server = mkOption {
          type = types.submodule {
            options = {
              secretFile = mkOption {
                type = types.externalPath;
                description = "What it is for.";
              };
            };
          };
          description = "What it is for.";
        };
      };
      default = { file = { path = "/x"; }; };
      description = "What it is for.";
    };
  };

  # Options that name a file with a secret.
  secretFiles = [
    [ "option" "server" "secretFile" ]
  ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [ ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [ ];
}
