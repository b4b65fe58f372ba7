# What the agent must be allowed for its optional sections: tunnels, mail queue and zones.
{
  lib,
  pkgs,
  config,
}:
let
  cfg = config.services.homeport.agent;
  path = "services.homeport.agent";

  inherit (config.services) postfix knot;
in
{
  # Whether this machine has tunnels that NixOS knows of.
  hasTunnels =
    config.networking.wireguard.enable
    || config.networking.wg-quick.interfaces != { }
    || lib.any (device: device.netdevConfig.Kind or null == "wireguard") (
      builtins.attrValues config.systemd.network.netdevs
    );

  # Programs the sections ask.
  programs =
    lib.optional cfg.wireguard pkgs.wireguard-tools
    ++ lib.optional cfg.postfix pkgs.postfix
    ++ lib.optional cfg.knot knot.package;

  # The programs' own set-group-ID bits do nothing under NoNewPrivileges. Groups count inside the unit's user namespace too.
  groups = lib.optional cfg.postfix postfix.setgidGroup ++ lib.optional cfg.knot "knot";

  # The kernel shows tunnel peers to nobody without a capability in its own user namespace.
  hardening = lib.optionalAttrs (
    cfg.wireguard && cfg.tunnelAccess
  ) (import ../generated/hardening.nix).agentTunnelAccess;

  assertions = [
    {
      assertion = cfg.postfix -> postfix.enable;
      message = "${path}.postfix reports a mail queue, but services.postfix.enable is false: set one of them otherwise.";
    }
    {
      assertion = cfg.knot -> knot.enable;
      message = "${path}.knot reports zones, but services.knot.enable is false: set one of them otherwise.";
    }
  ];
}
