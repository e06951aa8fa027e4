/** The part of the Trusted Types API that this file uses. TypeScript has no types of it yet. */
type PolicyRules = { createHTML(text: string): string; createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: PolicyRules): unknown };

/**
 * Creates the only policy of this application. Libraries write style sheets with `innerHTML`, so a text without tags is allowed: it creates no element.
 * Workers are files of this service.
 */
export function restrictSinks(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('Markup from a text is not allowed.');
      return text;
    },
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError('Scripts of other sites are not allowed.');
      return url;
    },
  });
}
