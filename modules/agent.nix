# The host report agent as a service: services.homeport.agent and services.homeport.hosts.
{
  config,
  lib,
  options,
  pkgs,
  ...
}:
let
  cfg = config.services.homeport.agent;
  path = "services.homeport.agent";

  plain = import ./lib/plain.nix { inherit lib; };
  hardening = import ./generated/hardening.nix;
  generated = import ./generated/agent.options.nix { inherit lib; };
  rendered = import ./lib/render.nix { inherit lib; } {
    inherit generated;
    values = config.services.homeport;
    declared = options.services.homeport;
    prefix = "services.homeport";
  };
  listen = import ./lib/listen.nix { inherit lib config; } {
    inherit path;
    inherit (cfg) listen openFirewall firewallInterfaces;
  };
  access = import ./lib/agent-access.nix { inherit lib pkgs config; };
  service = import ./lib/service.nix { inherit lib pkgs; } {
    name = "agent";
    inherit (cfg) package;
    inherit rendered;
    hardening = hardening.agent // access.hardening;
    description = "Homeport agent: report of this host";
  };

  # Accepts names below services.homeport.agent.
  ignoredOptions =
    entries:
    import ./lib/ignored.nix { inherit lib options; } (
      map (entry: entry // { option = lib.splitString "." "${path}.${entry.option}"; }) entries
    );

  account = hardening.agent.User;
  atSocket = cfg.listen.unix != null;
  # May ask the process that answers for a user's units.
  userUnitsGroup = "homeport-user-units";
  asksUser = cfg.userUnits.user != null;
in
{
  imports = [ { options.services.homeport = generated.options; } ];

  options.services.homeport.agent = {
    enable = lib.mkEnableOption "the Homeport agent, which reports the state of this host";

    package = lib.mkPackageOption (import ./lib/packages.nix { inherit pkgs; }) "agent" {
      pkgsText = "homeport.packages.\${system}";
    };

    openFirewall = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Whether to open the port of `listen.port` to other machines.";
    };

    firewallInterfaces = lib.mkOption {
      type = lib.types.listOf lib.types.str;
      default = [ ];
      example = [ "wg0" ];
      description = "Network interfaces at which `openFirewall` opens the port; without any it opens the port at all of them.";
    };

    tunnelAccess = lib.mkOption {
      type = lib.types.bool;
      default = access.hasTunnels;
      defaultText = lib.literalMD "`true` where `networking.wireguard`, `networking.wg-quick` or `systemd.network` makes a tunnel";
      description = "Whether to give the agent the capability CAP_NET_ADMIN, without which the kernel shows its tunnel peers to no program. For tunnels made by other means than NixOS.";
    };
  };

  config = lib.mkIf cfg.enable (
    lib.mkMerge [
      {
        assertions = rendered.assertions ++ access.assertions;
        warnings =
          rendered.warnings
          ++ ignoredOptions [
            {
              option = "tunnelAccess";
              when = cfg.tunnelAccess && !cfg.wireguard;
              because = "${path}.wireguard is false, so the agent asks for no tunnel peers.";
            }
            {
              option = "wgPeers";
              when = !cfg.wireguard;
              because = "${path}.wireguard is false, so the agent reports no tunnel peers.";
            }
            {
              option = "knotSocket";
              when = !cfg.knot;
              because = "${path}.knot is false, so the agent reports no zones.";
            }
            {
              option = "userUnits.socket";
              when = !asksUser;
              because = "${path}.userUnits.user is unset, so no user's units are asked about.";
            }
            {
              option = "listen.address";
              when = atSocket;
              because = "${path}.listen.unix is set, so the agent listens on no address.";
            }
            {
              option = "listen.port";
              when = atSocket;
              because = "${path}.listen.unix is set, so the agent listens on no port.";
            }
          ];

        environment.etc = service.etc;
        # For people: report, metrics.
        environment.systemPackages = [ cfg.package ];
        services.homeport.agent = {
          postfix = lib.mkDefault config.services.postfix.enable;
          knot = lib.mkDefault config.services.knot.enable;
        };
        # Not an account that systemd makes for the service: dbus-daemon cannot look those up by itself,
        # and lets nobody in whom it cannot look up.
        users.users.${account} = {
          isSystemUser = true;
          group = account;
        };
        users.groups.${account} = { };
        systemd.services.homeport-agent = lib.mkMerge [
          service.unit
          {
            path = access.programs;
            serviceConfig.SupplementaryGroups = access.groups ++ lib.optional asksUser userUnitsGroup;
          }
        ];
      }

      (lib.mkIf (!atSocket) {
        inherit (listen) assertions;
        networking.firewall = listen.firewall;
        systemd.services.homeport-agent = listen.unit;
      })

      # systemd makes the socket: the agent may write to no directory.
      (lib.mkIf atSocket {
        assertions = [
          {
            assertion = !cfg.openFirewall;
            message = "${path}.openFirewall has no port to open: ${path}.listen.unix is set, so the agent listens on no port. Set ${path}.openFirewall to false, or leave ${path}.listen.unix unset.";
          }
        ];
        systemd.sockets.homeport-agent = {
          description = "Homeport agent: socket";
          wantedBy = [ "sockets.target" ];
          listenStreams = [ (plain cfg.listen.unix) ];
          socketConfig.SocketMode = "0666";
        };
        systemd.services.homeport-agent.requires = [ "homeport-agent.socket" ];
      })

      (lib.mkIf asksUser {
        users.groups.${userUnitsGroup} = { };
        systemd.sockets.homeport-user-units = {
          description = "Homeport agent: units of ${plain cfg.userUnits.user}, socket";
          wantedBy = [ "sockets.target" ];
          listenStreams = [ (plain cfg.userUnits.socket) ];
          socketConfig = {
            SocketGroup = userUnitsGroup;
            SocketMode = "0660";
          };
        };
        systemd.services.homeport-user-units = {
          description = "Homeport agent: units of ${plain cfg.userUnits.user}";
          serviceConfig = hardening.userUnits // {
            Type = "exec";
            User = plain cfg.userUnits.user;
            ExecStart = "${lib.getExe' cfg.package "homeport-agent"} user-units";
          };
        };
      })
    ]
  );

  # NixOS accepts only people of nixpkgs' own list. `meta.doc` is left out: it would make a chapter of the manual of
  # every host, and the manual's build refuses chapters that nixpkgs' list of redirects doesn't name.
  meta.maintainers = [ ];
}
