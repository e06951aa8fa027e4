function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** What a notification step tells its people. */
export function notificationMail(workflow: string, step: string | null, description: string | null) {
  const paragraphs = [
    `The workflow “${workflow}” has reached the step “${step ?? 'notification'}”.`,
    ...(description === null ? [] : [description]),
  ];
  return {
    subject: `${step ?? 'Notification'}: ${workflow}`.replaceAll(/\s+/g, ' ').slice(0, 200),
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`).join('\n'),
  };
}
