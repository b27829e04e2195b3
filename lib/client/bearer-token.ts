/** Whether a text can be shown as a bearer token: visible ASCII characters, so that a header can carry it and it ends where it ends. */
export function isBearerToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
