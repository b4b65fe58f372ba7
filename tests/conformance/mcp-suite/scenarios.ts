/** Scenarios of the official suite that are about what this server has, by revision of the protocol. */
export const applicable = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'http-header-validation',
    'dns-rebinding-protection',
    'caching',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
} as const;

export type Revision = keyof typeof applicable;

/** Checks of those scenarios that want something which only a server made for the suite has, and what. */
export const beyondUs: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': 'the tool test_missing_capability',
  'sep-2575-missing-capability-http-400': 'the tool test_missing_capability',
  'sep-2575-http-server-no-independent-requests-on-stream': 'the tool test_streaming_elicitation',
  'sep-2575-server-no-log-without-loglevel': 'the tool test_logging_tool',
  'sep-2549-prompts-list-caching-hints': 'prompts',
  'sep-2549-resources-list-caching-hints': 'resources',
  'sep-2549-resources-templates-list-caching-hints': 'resources',
  'sep-2164-error-code': 'resources',
  'sep-2164-data-uri': 'resources',
};

/** The scenarios that are skipped, by what they want. */
export const skipped: Readonly<Record<string, readonly string[]>> = {
  'tools of the suite': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'json-schema-2020-12',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'http-custom-header-server-validation',
  ],
  'tools that ask for further input': [
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-missing-input-response',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
    'input-required-result-ignore-extra-params',
    'input-required-result-validate-input',
  ],
  resources: [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  prompts: [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'completions or logging': ['completion-complete', 'logging-set-level'],
  // The newer revision has no sessions and no such streams, so its scenario about streams is tried.
  'sessions or streams of the transport': [
    'server-session-lifecycle',
    'server-sse-polling',
    'server-sse-multiple-streams',
  ],
};
