const meta = (name: string): HTMLMetaElement | null => document.querySelector(`meta[name="${name}"]`);

/** The path of the console, such as `/app`. The service writes it into the page. */
export const consoleAddress = meta('console-address')?.content ?? '/app';
/** The path before those of the API, such as the empty text. */
export const serviceAddress = consoleAddress.replace(/\/app$/, '');
/** Whether visitors can create an account. Otherwise they need an invitation. */
export const isRegistrationOpen = meta('console-registration')?.content !== 'invited';
/** The nonce of styles that a script adds to the page. */
export const styleNonce = meta('console-nonce')?.nonce ?? '';
