import { defineTexts } from '../texts/texts.ts';

/** Texts for errors without a problem code. */
export const statusTexts = defineTexts({
  en: {
    offline: 'You are offline. Try again when you are connected.',
    failed: 'The service does not respond. Try again in a moment.',
    broken: 'The service has an error. Try again. If it happens again, report the request below.',
    refused: 'The service refused this.',
  },
  de: {
    offline: 'Sie sind offline. Versuchen Sie es mit einer Verbindung erneut.',
    failed: 'Der Dienst antwortet nicht. Versuchen Sie es gleich noch einmal.',
    broken: 'Im Dienst ist ein Fehler aufgetreten. Versuchen Sie es erneut. Melden Sie sonst die Anfrage unten.',
    refused: 'Der Dienst hat das abgelehnt.',
  },
});
