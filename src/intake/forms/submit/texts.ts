import { messageLocales } from '#fields';

const texts: Record<(typeof messageLocales)[number], string> = {
  en: 'Thank you. Your answers have been received.',
  de: 'Vielen Dank. Ihre Antworten sind eingegangen.',
  ar: 'شكرًا لك. لقد استلمنا إجاباتك.',
  ja: 'ご回答ありがとうございます。受け付けました。',
};

/** Returns the default message after a submission. */
export function thanks(locale: string): string {
  const base = locale.toLowerCase().split('-')[0];
  return texts[messageLocales.find((one) => one === base) ?? 'en'];
}
