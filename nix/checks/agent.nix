# The agent answers with its report to the bearer of the token, and its unit keeps its exposure score.
{ pkgs, modules }:
pkgs.testers.runNixOSTest {
  name = "homeport-agent";

  nodes.machine = {
    imports = [ modules.agent ];
    environment.etc."agent-token" = {
      text = "not-a-secret-in-this-test";
      mode = "0400";
    };
    services.homeport.agent = {
      enable = true;
      tokenFile = "/etc/agent-token";
    };
  };

  testScript = ''
    machine.wait_for_unit("homeport-agent.service")
    machine.wait_for_open_port(9105)
    machine.succeed("curl -fsS http://127.0.0.1:9105/healthz")
    machine.fail("curl -fsS http://127.0.0.1:9105/metrics")
    machine.succeed("curl -fsS -H 'Authorization: Bearer not-a-secret-in-this-test' http://127.0.0.1:9105/metrics | grep node_load1")
    # The message bus lets the service in.
    machine.succeed("curl -fsS -H 'Authorization: Bearer not-a-secret-in-this-test' http://127.0.0.1:9105/metrics | grep '^monitor_systemd_units_failed '")
    machine.succeed("systemd-analyze security --threshold=13 homeport-agent.service")
  '';
}
