/** The rows of a tab-separated table with a header line, by column name. */
export function readTable(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const columns = header.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}
