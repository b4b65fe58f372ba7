# The host that the container boots, as its owner writes it; the servers on loopback stand for those of the internet.
{
  services.postfix.enable = true;
  services.knot.enable = true;

  services.homeport.agent = {
    enable = true;
    tokenFile = "/var/lib/secrets/agent-token";
    userUnits.user = "ada";
    tunnelAccess = true;
  };

  services.homeport.connector = {
    enable = true;
    baseUrl = "https://irc.example.org";
    caddy.enable = true;
    postgresql.enable = true;
    soju.enable = true;
    ircChannels = [
      "#homeport"
      "#garden"
    ];
    settings.ownerLogins = [ "ada" ];
    identityProvider.oidc = {
      issuer = "http://127.0.0.1:8080";
      clientId = "homeport";
      clientSecretFile = "/var/lib/secrets/oidc-client-secret";
    };
    adminTokenFile = "/var/lib/secrets/admin-token";
    bouncer.soju = {
      address = "unix:///run/soju/irc";
      network = {
        name = "homeport";
        address = "irc+insecure://127.0.0.1:6668";
      };
    };
    events.allowCallbackHosts = [
      "127.0.0.1"
      "localhost"
    ];
  };
}
