import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

export const previewText: DomainText['operations'] = {
  previewInterface: {
    text: 'Makes a secret link to the page of the draft, as it is when somebody opens it, for those who may edit the interface. It is good for a day; making another ends the one before. What is filled in there is judged by the rules of the form, and nothing of it is kept, filed, booked or mailed. Fields that choose from a registry offer nothing there.',
    records: ['interface.preview_made'],
    answer: {
      previewToken: desk.publicToken,
      previewUrl: `https://chancery.example/preview/${desk.publicToken}`,
      expiresAt: desk.friday,
    },
  },
};
