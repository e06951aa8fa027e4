import { defineTexts } from '../texts/texts.ts';

export const commentTexts = defineTexts({
  en: { none: 'No comments yet.', newComment: 'New comment', add: 'Add the comment' },
  de: { none: 'Noch keine Kommentare.', newComment: 'Neuer Kommentar', add: 'Kommentar hinzufügen' },
});
