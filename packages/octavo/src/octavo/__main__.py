"""`python -m octavo` is the `octavo` program."""

from octavo.cli.main import main

if __name__ == "__main__":
    main()
