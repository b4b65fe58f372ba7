/**
 * Stores how applications write and read titles; XTSMTITLE. Text is always UTF-8, so its modes 2 and 3 are always on.
 */
export class TitleModes {
  /** Whether titles are sent as hexadecimal digits. */
  isSetInHex = false;
  /** Whether reports of titles are hexadecimal digits. */
  isReportedInHex = false;

  set(mode: number, isOn: boolean): void {
    if (mode === 0) this.isSetInHex = isOn;
    else if (mode === 1) this.isReportedInHex = isOn;
  }

  reset(): void {
    this.isSetInHex = false;
    this.isReportedInHex = false;
  }

  /** Returns a title that an application sent; undefined if it does not have the form that is set. */
  decode(sent: string): string | undefined {
    if (!this.isSetInHex) return sent;
    if (!/^(?:[0-9a-f]{2})*$/i.test(sent)) return undefined;
    const bytes = Uint8Array.from(sent.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    return new TextDecoder().decode(bytes);
  }

  /** Returns a title in the form of reports. */
  encode(title: string): string {
    if (!this.isReportedInHex) return title;
    return [...new TextEncoder().encode(title)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
