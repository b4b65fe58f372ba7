# nginx and Caddy, as the module configures them, serve the connector under its public name.
{ pkgs, modules }:
let
  name = "irc.example.org";
  certificate = pkgs.runCommand "certificate" { nativeBuildInputs = [ pkgs.openssl ]; } ''
    mkdir $out
    openssl req -x509 -newkey rsa:2048 -nodes -days 36500 -subj /CN=${name} \
      -addext subjectAltName=DNS:${name} -keyout $out/key.pem -out $out/certificate.pem
  '';
in
pkgs.testers.runNixOSTest {
  name = "homeport-connector-proxies";

  nodes.machine = {
    imports = [ modules.connector ];
    networking.hosts."127.0.0.1" = [ name ];
    environment.etc."client-secret" = {
      text = "not-a-secret-in-this-test";
      mode = "0400";
    };
    services.homeport.connector = {
      enable = true;
      baseUrl = "https://${name}";
      ircChannels = [ "#homeport" ];
      settings.ownerLogins = [ "ada" ];
      identityProvider.oidc = {
        issuer = "http://127.0.0.1:8080";
        clientId = "homeport";
        clientSecretFile = "/etc/client-secret";
      };
      bouncer.soju.network.address = "irc+insecure://127.0.0.1:6668";
    };
    # Without a network there is no public authority to ask for a certificate.
    specialisation.nginx.configuration = {
      services.homeport.connector.nginx.enable = true;
      services.nginx.virtualHosts.${name} = {
        enableACME = false;
        sslCertificate = "${certificate}/certificate.pem";
        sslCertificateKey = "${certificate}/key.pem";
      };
    };
    specialisation.caddy.configuration = {
      services.homeport.connector.caddy.enable = true;
      services.caddy.globalConfig = ''
        local_certs
        skip_install_trust
      '';
    };
  };

  testScript = ''
    machine.wait_for_unit("homeport-connector.service")
    for proxy in ["nginx", "caddy"]:
        machine.succeed(f"/run/booted-system/specialisation/{proxy}/bin/switch-to-configuration test")
        machine.wait_for_unit(f"{proxy}.service")
        machine.wait_until_succeeds("curl --insecure -fsS https://${name}/healthz")
        challenge = machine.succeed("curl --insecure -sS --dump-header - --output /dev/null --request POST https://${name}/mcp")
        assert "https://${name}/.well-known/oauth-protected-resource/mcp" in challenge
  '';
}
