"""The ports of a card table's shoe and keyboard, at real lines."""



