# The host report agent as a service: services.homeport.agent and services.homeport.hosts.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.homeport.agent;

  hardening = import ./generated/hardening.nix;
  generated = import ./generated/agent.options.nix { inherit lib; };
  listen = import ./lib/listen.nix { inherit lib; } {
    path = "services.homeport.agent";
    inherit (cfg) listen openFirewall;
  };
  service = import ./lib/service.nix { inherit lib pkgs; } {
    name = "agent";
    inherit (cfg) package;
    rendered = import ./lib/render.nix { inherit lib; } {
      inherit generated;
      values = config.services.homeport;
    };
    hardening = hardening.agent // access.hardening;
    description = "Homeport agent: report of this host";
  };
  access = import ./lib/agent-access.nix { inherit lib pkgs config; };

  atSocket = cfg.listen.unix != null;
  # May ask the process that answers for a user's units.
  userUnitsGroup = "homeport-user-units";
  asksUser = cfg.userUnits.user != null;
in
{
  imports = [ { options.services.homeport = generated.options; } ];

  options.services.homeport.agent = {
    enable = lib.mkEnableOption "the Homeport agent, which reports the state of this host";

    package = lib.mkOption {
      type = lib.types.package;
      default = (import ../nix/packages { inherit pkgs; }).agent;
      defaultText = lib.literalExpression "homeport.packages.\${system}.agent";
      description = "The package with the program `homeport-agent`.";
    };

    openFirewall = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Whether to open the port of `listen.port` to other machines.";
    };

    tunnelAccess = lib.mkOption {
      type = lib.types.bool;
      default = access.hasTunnels;
      defaultText = lib.literalExpression "whether networking.wireguard, networking.wg-quick or systemd.network makes a tunnel";
      description = "Whether the agent gets the capability CAP_NET_ADMIN, without which the kernel shows nobody its tunnel peers. For tunnels made by other means than NixOS.";
    };
  };

  config = lib.mkIf cfg.enable (
    lib.mkMerge [
      {
        inherit (access) assertions;
        environment.etc = service.etc;
        # For people: report, metrics.
        environment.systemPackages = [ cfg.package ];
        services.homeport.agent = {
          postfix = lib.mkDefault config.services.postfix.enable;
          knot = lib.mkDefault config.services.knot.enable;
        };
        # Used in place of one that systemd would make for the service: dbus-daemon cannot look those up by itself,
        # and lets nobody in whom it cannot look up.
        users.users.homeport-agent = {
          isSystemUser = true;
          group = "homeport-agent";
        };
        users.groups.homeport-agent = { };
        systemd.services.homeport-agent = service.unit // {
          path = access.programs;
          serviceConfig = service.unit.serviceConfig // {
            SupplementaryGroups = access.groups ++ lib.optional asksUser userUnitsGroup;
          };
        };
      }

      (lib.mkIf (!atSocket) {
        inherit (listen) assertions;
        networking.firewall.allowedTCPPorts = listen.allowedTCPPorts;
      })

      # systemd makes the socket: the agent may write to no directory.
      (lib.mkIf atSocket {
        assertions = [
          {
            assertion = !cfg.openFirewall;
            message = "services.homeport.agent.openFirewall has nothing to open: services.homeport.agent.listen.unix is set, so the agent listens on no port.";
          }
        ];
        systemd.sockets.homeport-agent = {
          description = "Homeport agent: socket";
          wantedBy = [ "sockets.target" ];
          listenStreams = [ cfg.listen.unix ];
          socketConfig.SocketMode = "0666";
        };
        systemd.services.homeport-agent.requires = [ "homeport-agent.socket" ];
      })

      (lib.mkIf asksUser {
        users.groups.${userUnitsGroup} = { };
        systemd.sockets.homeport-user-units = {
          description = "Homeport agent: units of ${cfg.userUnits.user}, socket";
          wantedBy = [ "sockets.target" ];
          listenStreams = [ cfg.userUnits.socket ];
          socketConfig = {
            SocketGroup = userUnitsGroup;
            SocketMode = "0660";
          };
        };
        systemd.services.homeport-user-units = {
          description = "Homeport agent: units of ${cfg.userUnits.user}";
          serviceConfig = hardening.userUnits // {
            Type = "exec";
            User = cfg.userUnits.user;
            ExecStart = "${cfg.package}/bin/homeport-agent user-units";
          };
        };
      })
    ]
  );
}
