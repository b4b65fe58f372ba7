import { nixString } from '../../../src/generate/nix-text.ts';
import { repository } from './nix.ts';

/** Both packages with the programs of this checkout, for builds that run them. */
export const builtPackages = ['connector', 'agent']
  .map((program) => {
    const built = `pkgs.fake "homeport-${program}" { outPath = ${nixString(repository)}; }`;
    return `services.homeport.${program}.package = lib.mkForce (${built});`;
  })
  .join('\n');

/** The fewest options a connector needs, as Nix writes them. */
export const minimalConnector = `
  services.homeport.connector = {
    enable = true;
    package = pkgs.fake "homeport-connector" { };
    baseUrl = "https://irc.example.org";
    ircChannels = [ "#homeport" ];
    settings.ownerLogins = [ "ada" ];
    identityProvider.oidc = {
      issuer = "https://id.example.org";
      clientId = "homeport";
      clientSecretFile = "/run/secrets/oidc";
    };
    bouncer.soju.network.address = "ircs://irc.example.net";
  };
`;

/** The minimal configuration as JSON, as a person without NixOS writes it. */
export const minimalConnectorJson = {
  baseUrl: 'https://irc.example.org',
  ircChannels: ['#homeport'],
  settings: { ownerLogins: ['ada'] },
  identityProvider: {
    oidc: {
      issuer: 'https://id.example.org',
      clientId: 'homeport',
      clientSecretFile: '$CREDENTIALS_DIRECTORY/identityProvider.oidc.clientSecretFile',
    },
  },
  bouncer: { soju: { network: { address: 'ircs://irc.example.net' } } },
};

/** The fewest options an agent needs. */
export const minimalAgent = `
  services.homeport.agent = {
    enable = true;
    package = pkgs.fake "homeport-agent" { };
    tokenFile = "/run/secrets/agent";
  };
`;

export const minimalAgentJson = { agent: { tokenFile: '$CREDENTIALS_DIRECTORY/agent.tokenFile' } };
