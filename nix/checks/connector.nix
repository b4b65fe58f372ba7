# The connector starts beside the soju of the module, which hands its sockets over, takes a soft option on while it runs,
# and moves into PostgreSQL.
{ pkgs, modules }:
pkgs.testers.runNixOSTest {
  name = "homeport-connector";

  nodes.machine = {
    imports = [ modules.connector ];
    environment.etc."client-secret" = {
      text = "not-a-secret-in-this-test";
      mode = "0400";
    };
    services.homeport.connector = {
      enable = true;
      baseUrl = "http://127.0.0.1:8460";
      ircChannels = [ "#homeport" ];
      settings.ownerLogins = [ "ada" ];
      identityProvider.oidc = {
        issuer = "http://127.0.0.1:8080";
        clientId = "homeport";
        clientSecretFile = "/etc/client-secret";
      };
      bouncer.soju = {
        address = "unix:///run/soju/irc";
        network.address = "irc+insecure://127.0.0.1:6668";
      };
      soju.enable = true;
    };
    specialisation.talkative.configuration.services.homeport.connector.logLevel = "debug";
    specialisation.postgresql.configuration.services.homeport.connector.postgresql.enable = true;
  };

  testScript = ''
    machine.wait_for_unit("soju.service")
    for socket in ["admin", "irc"]:
        machine.succeed(f"test \"$(stat -c %G:%a /run/soju/{socket})\" = homeport-soju:660")
    machine.wait_for_unit("homeport-connector.service")
    machine.wait_for_open_port(8460)
    machine.succeed("curl -fsS http://127.0.0.1:8460/healthz")
    machine.succeed("systemd-analyze security --threshold=11 homeport-connector.service")
    before = machine.succeed("systemctl show --property=MainPID homeport-connector")
    machine.succeed("/run/booted-system/specialisation/talkative/bin/switch-to-configuration test")
    machine.wait_until_succeeds("journalctl --unit homeport-connector | grep 'configuration reloaded'")
    assert before == machine.succeed("systemctl show --property=MainPID homeport-connector")
    machine.succeed("/run/booted-system/specialisation/postgresql/bin/switch-to-configuration test")
    machine.wait_for_unit("homeport-connector.service")
    machine.wait_until_succeeds("curl -fsS http://127.0.0.1:8460/healthz")
    machine.succeed("sudo -u postgres psql -Atc 'select holder from leases' homeport-connector | grep process")
  '';
}
