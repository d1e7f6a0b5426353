/** A failure of an import whose message is written for users. */
export class AddressesError extends Error {
  override name = 'AddressesError';
}
