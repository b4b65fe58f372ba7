import { ask } from './ask.ts';
import { type Finding, ill, well } from './check.ts';

const OPTION = 'identityProvider.oidc.issuer';

export async function examineOidc({ issuer }: { issuer: string }): Promise<Finding> {
  const answer = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (typeof answer === 'string') return ill(`${issuer}: ${answer}`, `start it, or set ${OPTION} to one that runs`);
  const { issuer: named, authorization_endpoint: endpoint } = answer.body ?? {};
  if (typeof endpoint !== 'string') {
    return ill(
      `${issuer} answers ${answer.status} without OpenID Connect metadata`,
      `set ${OPTION} to an OpenID Connect issuer`,
    );
  }
  if (named !== issuer) return ill(`${issuer} calls itself ${String(named)}`, `set ${OPTION} to just that`);
  return well(`${issuer} offers sign-in`);
}
