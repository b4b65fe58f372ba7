# PostgreSQL beside the connector: services.homeport.connector.postgresql.enable.
{ config, lib, ... }:
let
  cfg = config.services.homeport.connector;
  path = "services.homeport.connector";

  # PostgreSQL lets an account of the system in as the role of its name, and makes it the owner of the database of its name.
  name = "homeport-connector";
  # Where the NixOS module of PostgreSQL has its socket.
  socketDirectory = "/run/postgresql";
  chosen = cfg.database.postgres or { };
in
{
  options.services.homeport.connector.postgresql.enable = lib.mkOption {
    type = lib.types.bool;
    default = false;
    example = true;
    description = "Whether to run PostgreSQL on this machine and to keep everything in a database of it instead of in a file. The connector is let in by its account, without a password. Modules of nixpkgs call this `database.createLocally`.";
  };

  config = lib.mkIf (cfg.enable && cfg.postgresql.enable) {
    assertions = [
      {
        assertion =
          cfg.database ? postgres
          && chosen.host == socketDirectory
          && chosen.database == name
          && chosen.user == name;
        message = "${path}.database is set, but ${path}.postgresql.enable makes the database and the role ${name} at ${socketDirectory} itself. Leave ${path}.database unset, or set ${path}.postgresql.enable to false.";
      }
    ];

    services.homeport.connector.database = lib.mkDefault { postgres = { }; };

    services.postgresql = {
      enable = true;
      ensureDatabases = [ name ];
      ensureUsers = [
        {
          inherit name;
          ensureDBOwnership = true;
        }
      ];
    };

    # Known to the server by name, which an account that systemd makes for the service is not everywhere.
    users.users.${name} = {
      isSystemUser = true;
      group = name;
    };
    users.groups.${name} = { };

    systemd.services = {
      # The server lets every role into a new database. There it could take the locks by which the processes share it.
      postgresql-setup.script = lib.mkAfter ''
        psql -d postgres -tAc 'REVOKE CONNECT, TEMPORARY ON DATABASE "${name}" FROM PUBLIC'
      '';
    }
    // lib.genAttrs (import ./lib/processes.nix { inherit lib; } cfg).units (_: {
      requires = [ "postgresql.target" ];
      after = [ "postgresql.target" ];
      serviceConfig = {
        DynamicUser = false;
        User = name;
      };
    });
  };
}
