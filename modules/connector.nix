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
  listen = import ./lib/listen.nix { inherit lib config; } {
    inherit path;
    inherit (cfg) listen openFirewall firewallInterfaces;
  };
  rendered = import ./lib/render.nix { inherit lib; } {
    inherit generated;
    values = cfg;
    declared = options.services.homeport.connector;
    prefix = path;
  };
  service = import ./lib/service.nix { inherit lib pkgs; } {
    name = "connector";
    inherit (cfg) package;
    inherit rendered;
    hardening = (import ./generated/hardening.nix).connector // {
      # Not where something on this machine must know the account by name.
      DynamicUser = lib.mkDefault true;
    };
    description = "Homeport connector: IRC for AI agents";
  };
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

    environment.etc = service.etc;
    # For people: doctor, migrate.
    environment.systemPackages = [ cfg.package ];
    networking.firewall = listen.firewall;
    systemd.services.homeport-connector = lib.mkMerge [
      service.unit
      listen.unit
      { serviceConfig.StateDirectory = plain (lib.removePrefix stateRoot cfg.stateDirectory); }
    ];
  };

  # NixOS accepts only people of nixpkgs' own list. `meta.doc` is left out: it would make a chapter of the manual of
  # every host, and the manual's build refuses chapters that nixpkgs' list of redirects doesn't name.
  meta.maintainers = [ ];
}
