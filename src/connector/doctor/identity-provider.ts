import { type Check, well } from './check.ts';
import { examineGithub } from './github.ts';
import { examineOidc } from './oidc.ts';

/** Each kind of provider has its own look. */
export const identityProvider: Check = {
  name: 'identity provider',
  examine: async ({ config: { baseUrl, settings }, identityProvider: choice, proxy }) => {
    const redirectUri = `${baseUrl}/login/idp/callback`;
    if ('github' in choice) return examineGithub(choice.github, redirectUri, proxy);
    const finding = await examineOidc(choice.oidc, redirectUri, proxy);
    if (!finding.isWell || settings.ownerLogins.length === 0) return finding;
    return well(
      `${finding.says}; anyone who may edit their ${choice.oidc.loginClaim} there can become an owner, unless settings.ownerSubjects names the owners instead`,
    );
  },
};
