const GITHUB = 'https://github.com';
const GITHUB_API = 'https://api.github.com';
/** Path of the API of a GitHub Enterprise Server. */
const ENTERPRISE_API_PATH = '/api/v3';

export interface GithubPlace {
  /** Address without a slash at the end, like `apiUrl`. */
  url: string;
  apiUrl?: string | undefined;
}

/** @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const githubAddresses = ({ url, apiUrl }: GithubPlace) => ({
  /** GitHub's issuer name as an authorization server. It identifies the provider in accounts, so it never changes. */
  issuer: `${url}/login/oauth`,
  authorization: `${url}/login/oauth/authorize`,
  token: `${url}/login/oauth/access_token`,
  user: `${apiUrl ?? (url === GITHUB ? GITHUB_API : url + ENTERPRISE_API_PATH)}/user`,
});
