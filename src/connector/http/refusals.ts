import { ConnectorError, type ErrorCode } from '../errors.ts';

/** A refusal whose answer has further headers. */
export class RefusalWithHeaders extends ConnectorError {
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>>) {
    super(code, message);
    this.headers = headers;
  }
}
