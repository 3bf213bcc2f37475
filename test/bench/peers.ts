export async function comparePeers(_handlers: string): Promise<void> {
  console.log('\nNo peer was compared.');
}
