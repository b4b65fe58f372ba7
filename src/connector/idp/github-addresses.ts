const GITHUB = 'https://github.com';
const GITHUB_API = 'https://api.github.com';
/** Where a GitHub Enterprise Server has its API. */
const ENTERPRISE_API_PATH = '/api/v3';

export interface GithubPlace {
  /** Without a slash at the end, as `apiUrl`. */
  url: string;
  apiUrl?: string | undefined;
}

/** @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const githubAddresses = ({ url, apiUrl }: GithubPlace) => ({
  /** As GitHub calls itself as an authorization server. It stands for the provider in accounts, so it never changes. */
  issuer: `${url}/login/oauth`,
  authorization: `${url}/login/oauth/authorize`,
  token: `${url}/login/oauth/access_token`,
  user: `${apiUrl ?? (url === GITHUB ? GITHUB_API : url + ENTERPRISE_API_PATH)}/user`,
});
