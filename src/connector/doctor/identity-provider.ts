import type { Check } from './check.ts';
import { examineGithub } from './github.ts';
import { examineOidc } from './oidc.ts';

/** Each kind of provider has its own look. */
export const identityProvider: Check = {
  name: 'identity provider',
  examine: ({ config: { baseUrl }, identityProvider: choice }) =>
    'github' in choice ? examineGithub(choice.github, baseUrl) : examineOidc(choice.oidc),
};
