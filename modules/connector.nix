# The IRC connector as a service: services.homeport.connector.
{
  config,
  lib,
  options,
  pkgs,
  ...
}:
let
  cfg = config.services.homeport.connector;
  path = "services.homeport.connector";
  stateRoot = "/var/lib/";

  plain = import ./lib/plain.nix { inherit lib; };
  generated = import ./generated/connector.options.nix { inherit lib; };
  inherit (import ./lib/processes.nix { inherit lib; } cfg) all several;
  # What one process needs of the system.
  ofProcess =
    {
      number,
      unit,
      file,
      values,
    }:
    rec {
      listen = import ./lib/listen.nix { inherit lib config; } {
        inherit path;
        inherit (values) listen;
        inherit (cfg) openFirewall firewallInterfaces;
      };
      rendered = import ./lib/render.nix { inherit lib; } {
        inherit generated values;
        declared = options.services.homeport.connector;
        prefix = path;
      };
      service = import ./lib/service.nix { inherit lib pkgs; } {
        name = "connector";
        inherit file rendered;
        inherit (cfg) package;
        hardening = (import ./generated/hardening.nix).connector // {
          # Not where something on this machine must know the account by name.
          DynamicUser = lib.mkDefault true;
        };
        description = "Homeport connector: IRC for AI agents${lib.optionalString several ", process ${toString number}"}";
      };
      services.${unit} = lib.mkMerge [
        service.unit
        listen.unit
        { serviceConfig.StateDirectory = plain (lib.removePrefix stateRoot values.stateDirectory); }
      ];
    };
  made = map ofProcess all;
  inherit (lib.head made) listen rendered;

  last = port: port + cfg.processes - 1;
  portsMeet =
    cfg.metricsListen != null
    && cfg.listen.port <= last cfg.metricsListen.port
    && cfg.metricsListen.port <= last cfg.listen.port;
  databaseFile = cfg.database.sqlite.file or null;
  postgres = cfg.database.postgres or { };
in
{
  imports = [
    ./connector-soju.nix
    ./connector-postgresql.nix
    ./connector-proxy.nix
    { options.services.homeport.connector = generated.options; }
  ];

  options.services.homeport.connector = {
    enable = lib.mkEnableOption "the Homeport connector, which lets AI agents take part in IRC channels";

    package = lib.mkPackageOption (import ./lib/packages.nix { inherit pkgs; }) "connector" {
      pkgsText = "homeport.packages.\${system}";
    };

    openFirewall = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Whether to open the port of `listen.port` to other machines. Not needed behind a proxy on this machine.";
    };

    processes = lib.mkOption {
      type = lib.types.ints.between 1 16;
      default = 1;
      example = 2;
      description = "How many processes of the connector run on this machine, on one PostgreSQL and with one soju. One is enough for a thousand accounts; a second one goes on when the first one dies or is updated. With several the units are homeport-connector@1, homeport-connector@2 and so on; each further one has the next port of `listen` and of `metricsListen`, and a state directory with its number behind it.";
    };

    firewallInterfaces = lib.mkOption {
      type = lib.types.listOf lib.types.str;
      default = [ ];
      example = [ "wg0" ];
      description = "Network interfaces at which `openFirewall` opens the port; without any it opens the port at all of them.";
    };
  };

  config = lib.mkIf cfg.enable {
    assertions =
      rendered.assertions
      ++ listen.assertions
      ++ [
        {
          assertion = lib.hasPrefix stateRoot cfg.stateDirectory;
          message = "${path}.stateDirectory is ${cfg.stateDirectory}, but the unit may write below ${stateRoot} only. Set ${path}.stateDirectory to a directory there.";
        }
        {
          assertion = databaseFile == null || lib.hasPrefix "${cfg.stateDirectory}/" databaseFile;
          message = "${path}.database.sqlite.file is ${toString databaseFile}, but the unit may write below ${path}.stateDirectory (${cfg.stateDirectory}) only. Set ${path}.database.sqlite.file to a file there.";
        }
        {
          assertion = cfg.legacyClient != null -> cfg.oauthRedirectUris != [ ];
          message = "${path}.legacyClient is set, but it has no address to send people back to. Set ${path}.oauthRedirectUris.";
        }
      ]
      ++ lib.optionals several [
        {
          assertion = cfg.database ? postgres;
          message = "${path}.processes is ${toString cfg.processes}, but a database in a file is for one process. Set ${path}.postgresql.enable to true, or ${path}.database to a server, or ${path}.processes to 1.";
        }
        {
          assertion = cfg.keysFile != null;
          message = "${path}.processes is ${toString cfg.processes}, but each process would make keys of its own. Set ${path}.keysFile to a file with the keys of all, or ${path}.processes to 1.";
        }
        {
          assertion = !(cfg.nginx.enable && postgres.standby or false);
          message = "${path}.database.postgres.standby is true, but nginx does not ask which process serves, and would pass on refusals of those that wait. Set ${path}.database.postgres.standby to false, or ${path}.caddy.enable to true in place of ${path}.nginx.enable.";
        }
        {
          assertion = !portsMeet;
          message = "${path}.listen.port and ${path}.metricsListen.port are the first of ${toString cfg.processes} ports each, which overlap. Set ${path}.metricsListen.port to a port that is at least ${toString cfg.processes} away.";
        }
        {
          assertion = last cfg.listen.port <= 65535;
          message = "${path}.listen.port is the first of ${toString cfg.processes} ports, of which the last would be ${toString (last cfg.listen.port)}. Set ${path}.listen.port to a lower one.";
        }
      ]
      ++ lib.optional (cfg.metricsListen != null) {
        assertion = cfg.metricsListen.port >= 1024;
        message = "${path}.metricsListen.port is ${toString cfg.metricsListen.port}, but the service has no capability and can't listen below 1024. Set ${path}.metricsListen.port to a higher port.";
      };
    warnings =
      rendered.warnings
      ++ import ./lib/ignored.nix { inherit lib options; } [
        {
          option = [
            "services"
            "homeport"
            "connector"
            "oauthRedirectUris"
          ];
          when = cfg.legacyClient == null;
          because = "${path}.legacyClient is unset, and only that client uses them.";
        }
      ]
      ++ lib.optional (postgres.caFile or null != null && postgres.tls == "off")
        "${path}.database.postgres.caFile is set, but has no effect: ${path}.database.postgres.tls is \"off\".";

    environment.etc = lib.mkMerge (map ({ service, ... }: service.etc) made);
    # For people: doctor, migrate.
    environment.systemPackages = [ cfg.package ];
    networking.firewall = lib.mkMerge (map ({ listen, ... }: listen.firewall) made);
    systemd.services = lib.mkMerge (map ({ services, ... }: services) made);
  };

  # NixOS accepts only people of nixpkgs' own list. `meta.doc` is left out: it would make a chapter of the manual of
  # every host, and the manual's build refuses chapters that nixpkgs' list of redirects doesn't name.
  meta.maintainers = [ ];
}
