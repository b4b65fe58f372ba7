# The soju bouncer beside the connector: services.homeport.connector.soju.enable.
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.homeport.connector;
  path = "services.homeport.connector";

  # Its name must differ from the unit's: systemd refuses a dynamic user whose name is a static group's.
  group = "homeport-soju";
  # Where the NixOS module of soju has it.
  adminSocket = "/run/soju/admin";
  sojuctlConfig = pkgs.writeText "sojuctl.conf" ''
    listen unix+admin://${adminSocket}
  '';

  # soju makes its admin socket its own (0600) while it starts: hand it over once it answers, not before.
  shareAdminSocket = pkgs.writeShellScript "share-soju-admin-socket" ''
    attempts=150
    until ${pkgs.coreutils}/bin/timeout 2 ${config.services.soju.package}/bin/sojuctl -config ${sojuctlConfig} server status >/dev/null 2>&1; do
      attempts=$((attempts - 1))
      if [ "$attempts" -le 0 ]; then
        echo "soju does not answer on ${adminSocket}" >&2
        exit 1
      fi
      ${pkgs.coreutils}/bin/sleep 0.2
    done
    ${pkgs.coreutils}/bin/chgrp ${group} ${adminSocket}
    ${pkgs.coreutils}/bin/chmod 0660 ${adminSocket}
  '';
in
{
  options.services.homeport.connector.soju.enable = lib.mkOption {
    type = lib.types.bool;
    default = false;
    example = true;
    description = "Whether to run soju on this machine for the connector. Otherwise the connector's unit needs a group that may write to `bouncer.soju.adminSocket`.";
  };

  config = lib.mkIf (cfg.enable && cfg.soju.enable) {
    assertions = [
      {
        assertion = cfg.bouncer ? soju && cfg.bouncer.soju.adminSocket == adminSocket;
        message = "${path}.bouncer.soju.adminSocket must be ${adminSocket} where ${path}.soju.enable is set: that is where the soju of this machine listens.";
      }
      {
        assertion = !config.services.soju.enableMessageLogging;
        message = "services.soju.enableMessageLogging keeps history in text files without message ids: leave it off where ${path}.soju.enable is set, which keeps history in soju's database.";
      }
    ];

    services.soju = {
      enable = true;
      listen = [ cfg.bouncer.soju.address ];
      adminSocket.enable = true;
      enableMessageLogging = lib.mkDefault false;
      extraConfig = "message-store db";
    };

    users.groups.${group} = { };
    systemd.services.soju.serviceConfig.ExecStartPost = [ "+${shareAdminSocket}" ];
    systemd.services.homeport-connector = {
      requires = [ "soju.service" ];
      after = [ "soju.service" ];
      serviceConfig.Group = group;
    };
  };
}
