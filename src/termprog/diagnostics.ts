/** Severities of the `logLevel` resource, least first. @spec termprog#application-resources-term-or-term */
const SEVERITIES = ['debug', 'info', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Messages to the person who started the program; one line each. @spec termprog#errors */
export interface Diagnostics {
  debug(message: string): void;
  info(message: string): void;
  warning(message: string): void;
  error(message: string): void;
}

/** Writes messages of `least` severity and above, each as `termprog: SEVERITY: MESSAGE`. */
export function createDiagnostics(least: Severity, write: (line: string) => void): Diagnostics {
  const writer = (severity: Severity) =>
    SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(least)
      ? () => {}
      : (message: string) => write(`termprog: ${severity}: ${message}\n`);
  return { debug: writer('debug'), info: writer('info'), warning: writer('warning'), error: writer('error') };
}
