import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

export const previewText: DomainText['operations'] = {
  previewInterface: {
    text: 'Creates a secret link to a page that shows the current draft. Requires the right to edit the interface. The link is valid for a day, and a new link replaces it. The page validates answers by the rules of the form, but stores, files, books and emails nothing. Fields that choose from a registry have no choices there.',
    records: ['interface.preview_made'],
    answer: {
      previewToken: desk.publicToken,
      previewUrl: `https://chancery.example/preview/${desk.publicToken}`,
      expiresAt: desk.friday,
    },
  },
};
