import { defineTexts } from '../../texts/texts.ts';

export const schemaFormTexts = defineTexts({
  en: {
    include: (label: string) => `Include: ${label}`,
    entry: (number: number) => `Entry ${number}`,
    addEntry: (label: string) => `Add to ${label}`,
    removeEntry: (number: number) => `Remove entry ${number}`,
    example: (text: string) => `For example: ${text}`,
  },
  de: {
    include: (label: string) => `Aufnehmen: ${label}`,
    entry: (number: number) => `Eintrag ${number}`,
    addEntry: (label: string) => `Zu ${label} hinzufügen`,
    removeEntry: (number: number) => `Eintrag ${number} entfernen`,
    example: (text: string) => `Zum Beispiel: ${text}`,
  },
});
