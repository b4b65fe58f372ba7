# The IRC connector as a service: services.homeport.connector.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.homeport.connector;
  path = "services.homeport.connector";
  stateRoot = "/var/lib/";

  generated = import ./generated/connector.options.nix { inherit lib; };
  listen = import ./lib/listen.nix { inherit lib; } {
    inherit path;
    inherit (cfg) listen openFirewall;
  };
  service = import ./lib/service.nix { inherit lib pkgs; } {
    name = "connector";
    inherit (cfg) package;
    rendered = import ./lib/render.nix { inherit lib; } {
      inherit generated;
      values = cfg;
    };
    hardening = (import ./generated/hardening.nix).connector;
    description = "Homeport connector: IRC for AI agents";
  };
  databaseFile = cfg.database.sqlite.file or null;
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

    package = lib.mkOption {
      type = lib.types.package;
      default = (import ../nix/packages { inherit pkgs; }).connector;
      defaultText = lib.literalExpression "homeport.packages.\${system}.connector";
      description = "The package with the program `homeport-connector`.";
    };

    openFirewall = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Whether to open the port of `listen.port` to other machines. Not needed behind a proxy on this machine.";
    };
  };

  config = lib.mkIf cfg.enable {
    assertions =
      listen.assertions
      ++ [
        {
          assertion = lib.hasPrefix stateRoot cfg.stateDirectory;
          message = "${path}.stateDirectory is ${cfg.stateDirectory}, but the unit may write below ${stateRoot} only: choose a directory there.";
        }
        {
          assertion = databaseFile == null || lib.hasPrefix "${cfg.stateDirectory}/" databaseFile;
          message = "${path}.database.sqlite.file is ${toString databaseFile}, but the unit may write below ${path}.stateDirectory (${cfg.stateDirectory}) only: choose a file there.";
        }
      ]
      ++ lib.optional (cfg.metricsListen != null) {
        assertion = cfg.metricsListen.port >= 1024;
        message = "${path}.metricsListen.port is ${toString cfg.metricsListen.port}, but the service has no capability and can't listen below 1024: choose a higher port.";
      };

    environment.etc = service.etc;
    # For people: doctor, migrate.
    environment.systemPackages = [ cfg.package ];
    networking.firewall.allowedTCPPorts = listen.allowedTCPPorts;
    systemd.services.homeport-connector = lib.mkMerge [
      service.unit
      { serviceConfig.StateDirectory = lib.removePrefix stateRoot cfg.stateDirectory; }
    ];
  };
}
