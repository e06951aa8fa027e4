import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

export const description: DomainText = {
  operations: {
    createDownload: {
      text: 'Returns an address that a browser can open without a header. It sends the response of the operation at `path`: a file, an export, an evidence pack or a PDF. With `body` that operation is a POST, such as the ZIP archive of several documents. The address is valid for one download within one minute, and no longer than your access token. The operation checks your token, scopes and access at the time of the download, and records it as usual.',
      records: ['download.address_created'],
      problems: ['not_downloadable'],
      body: { path: `/api/v1/smartdoc/documents/${desk.document}/content` },
      answer: { url: `https://chancery.example/api/v1/downloads/${desk.publicToken}`, expiresAt: desk.tuesday },
    },
    useDownload: {
      text: 'Sends the file of an address, and ends the address. A request for a range ends it too. HEAD returns the headers and keeps the address; of an archive it returns none of the file. Errors are those of the operation that sends the file.',
      problems: ['download_expired'],
    },
  },
};
