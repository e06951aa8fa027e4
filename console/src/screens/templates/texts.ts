import { defineTexts, plural } from '../../texts/texts.ts';

export const templateTexts = defineTexts({
  en: {
    library: 'Library',
    libraryText: 'Choose a template, enter its values, and create a document from it.',
    teamTemplates: 'Templates of the team',
    noneOfTeam: 'The team has no templates yet.',
    name: 'Name',
    description: 'Description',
    changed: 'Changed',
    signers: (count: number) => plural(count, { one: 'Has a place for 1 signer', other: `Has places for ${count} signers` }),
    documentTitle: 'Title of the document',
    create: 'Create document',
    next: (ask: string) => `Next: ${ask.toLowerCase()}`,
  },
  de: {
    library: 'Bibliothek',
    libraryText: 'Wählen Sie eine Vorlage, tragen Sie die Werte ein, und erstellen Sie daraus ein Dokument.',
    teamTemplates: 'Vorlagen des Teams',
    noneOfTeam: 'Das Team hat noch keine Vorlagen.',
    name: 'Name',
    description: 'Beschreibung',
    changed: 'Geändert',
    signers: (count: number) => plural(count, { one: 'Mit einer Unterschriftsstelle', other: `Mit Stellen für ${count} Unterschriften` }),
    documentTitle: 'Titel des Dokuments',
    create: 'Dokument erstellen',
    next: (ask: string) => `Weiter: ${ask}`,
  },
});
