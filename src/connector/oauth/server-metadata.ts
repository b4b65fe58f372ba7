import { SCOPES } from '../domain/scope.ts';
import { OAUTH_PATHS } from './provider.ts';

const CLIENT_AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

/** @see RFC 8414 §2 */
export function authorizationServerMetadata(baseUrl: string, takesDocuments = true): Record<string, unknown> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${OAUTH_PATHS.authorization}`,
    token_endpoint: `${baseUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${baseUrl}${OAUTH_PATHS.registration}`,
    revocation_endpoint: `${baseUrl}${OAUTH_PATHS.revocation}`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    scopes_supported: SCOPES,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: takesDocuments,
  };
}

/**
 * @param resource address that the document is about: clients refuse a document that names another one than they
 * derived its address from
 * @see RFC 9728 §2, §3.3
 */
export function protectedResourceMetadata(baseUrl: string, resource: string): Record<string, unknown> {
  return {
    resource,
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Homeport IRC connector',
  };
}
