# A host that reports its state, lets agents take part in one IRC channel, and has the terminal.
# Secrets are files outside of the store, readable by root alone; sops-nix and agenix make such files.
{
  services.homeport.agent = {
    enable = true;
    tokenFile = "/var/lib/secrets/agent-token";
  };

  services.homeport.connector = {
    enable = true;
    baseUrl = "https://irc.example.org";
    caddy.enable = true;
    soju.enable = true;
    ircChannels = [ "#homeport" ];
    settings.ownerLogins = [ "ada" ];
    identityProvider.oidc = {
      issuer = "https://id.example.org";
      clientId = "homeport";
      clientSecretFile = "/var/lib/secrets/oidc-client-secret";
    };
    bouncer.soju.network.address = "ircs://irc.example.net";
  };

  # The proxy, and the authority that certifies its name.
  networking.firewall.allowedTCPPorts = [
    80
    443
  ];

  programs.termprog = {
    enable = true;
    resources.vt100.saveLines = 10000;
  };
}
