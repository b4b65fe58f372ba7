/** How applications write and read titles; XTSMTITLE. Text is always UTF-8, so its modes 2 and 3 are always on. */
export class TitleModes {
  /** Titles are sent as hexadecimal digits. */
  isSetInHex = false;
  /** Reports of titles are hexadecimal digits. */
  isReportedInHex = false;

  set(mode: number, isOn: boolean): void {
    if (mode === 0) this.isSetInHex = isOn;
    else if (mode === 1) this.isReportedInHex = isOn;
  }

  reset(): void {
    this.isSetInHex = false;
    this.isReportedInHex = false;
  }

  /** A title that an application sent; undefined when it is not in the form that holds. */
  decode(sent: string): string | undefined {
    if (!this.isSetInHex) return sent;
    if (!/^(?:[0-9a-f]{2})*$/i.test(sent)) return undefined;
    const bytes = Uint8Array.from(sent.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    return new TextDecoder().decode(bytes);
  }

  /** A title in the form of reports. */
  encode(title: string): string {
    if (!this.isReportedInHex) return title;
    return [...new TextEncoder().encode(title)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
