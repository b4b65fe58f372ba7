import type { Check } from './check.ts';
import { examineGithub } from './github.ts';
import { examineOidc } from './oidc.ts';

/** Each kind of provider has its own look. */
export const identityProvider: Check = {
  name: 'identity provider',
  examine: ({ config: { baseUrl }, identityProvider: choice, proxy }) => {
    const redirectUri = `${baseUrl}/login/idp/callback`;
    return 'github' in choice
      ? examineGithub(choice.github, redirectUri, proxy)
      : examineOidc(choice.oidc, redirectUri, proxy);
  },
};
