"""How strong the library is: the figures of docs/players.md, measured anew."""
