import { type Check, ok } from './check.ts';
import { examineGithub } from './github-check.ts';
import { examineOidc } from './oidc-check.ts';

/** Checks the configured identity provider; each kind has its own check. */
export const identityProvider: Check = {
  name: 'identity provider',
  examine: async ({ config: { baseUrl, settings }, identityProvider: choice, proxy }) => {
    const redirectUri = `${baseUrl}/login/idp/callback`;
    if ('github' in choice) return examineGithub(choice.github, redirectUri, proxy);
    const finding = await examineOidc(choice.oidc, redirectUri, proxy);
    if (!finding.isOk || settings.ownerLogins.length === 0) return finding;
    return ok(
      `${finding.says}; anyone who may edit their ${choice.oidc.loginClaim} there can become an owner, unless settings.ownerSubjects names the owners instead`,
    );
  },
};
